"""The composition root: settings, application, command line."""

__version__ = "0.1.0"
