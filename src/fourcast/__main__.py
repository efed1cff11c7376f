"""`python -m fourcast` is the command `fourcast`."""

from fourcast.cli import main

if __name__ == "__main__":
    main()
