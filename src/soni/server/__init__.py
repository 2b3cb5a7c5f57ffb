"""An assistant over HTTP: `soni serve`, or mounted in an application of your own."""

from soni.server.app import create_app as create_app
from soni.server.services import ServerOptions as ServerOptions

__all__ = ["ServerOptions", "create_app"]
