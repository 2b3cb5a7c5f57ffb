"""Routes: each module has a `router`, and the app includes them all."""
