"""A script that ends as scripts do."""

import sys

from scripts.shapes import total


def main():
    return 0


if __name__ == "__main__":
    sys.exit(main())
