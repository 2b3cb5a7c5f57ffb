"""What most runs of the program need: imported where they are forked from, once."""

import soni.cli.main
import soni.runtime.loop
import soni.testing.run  # noqa: F401
from soni.du.local.analysis import load_models

load_models()
