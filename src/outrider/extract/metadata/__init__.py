"""What a page says about itself: in its head, in structured data, at its byline."""
