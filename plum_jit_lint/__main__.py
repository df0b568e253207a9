"""`python -m plum_jit_lint`."""

from __future__ import annotations

import os
import sys


def _forget_current_folder() -> None:
    """`-m` puts the current folder first on the path, where a file that is only to be checked
    could pose as a module that this program imports."""
    if sys.path and sys.path[0] in ("", os.getcwd()):
        del sys.path[0]


if __name__ == "__main__":
    _forget_current_folder()

    from plum_jit_lint.cli import main

    sys.exit(main())
