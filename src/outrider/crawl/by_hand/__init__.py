"""What somebody asks for outside any lane: one fetch, the facts about an address, the counts, another try."""
