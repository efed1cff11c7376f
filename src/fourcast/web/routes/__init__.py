"""The routes of the API and the pages, one file for each kind."""
