"""The page: its files, pictures and previews, and the static site made of them."""
