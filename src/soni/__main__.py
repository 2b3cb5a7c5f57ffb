"""`python -m soni`."""

from soni.cli.main import app_entry

if __name__ == "__main__":
    app_entry()
