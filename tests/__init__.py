"""The tests: a package, as pgx installs one of this name, which would hide a mere folder."""
