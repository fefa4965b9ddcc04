"""From bytes to text: which encoding a page is in, by what it declares, else by a guess."""
