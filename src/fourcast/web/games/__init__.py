"""The games of the web app: their rules, and where they are kept."""
