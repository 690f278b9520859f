"""Errors of the command line.

CommandError
├── SettingsInvalid            settings_invalid: a setting is unknown or has a value that it cannot have
├── LibraryNotFound            library_not_found: there is no library in that folder
├── AddressInUse               address_in_use: the service cannot listen on that address
├── NothingToAdd               nothing_to_add: no PDF under the given paths
├── FileUnusable               file_unusable: a file or folder cannot be read or written
├── FileForbidden              file_forbidden: the system does not permit it
├── SecretUnreadable           secret_unreadable: the file of a password or a token cannot be read as text
└── LocationNotFound           location_not_found: no such location in the library, or not one of yours
"""

from __future__ import annotations


class CommandError(Exception):
    """Root of the package's errors: `code` is stable, `str(error)` is for people, `hint` says what to do next."""

    code = "command_error"
    hint = ""

    def __init__(self, message: str, *, hint: str | None = None) -> None:
        super().__init__(message)
        if hint is not None:
            self.hint = hint


class SettingsInvalid(CommandError):
    """A setting is unknown or has a value that it cannot have; the message names it without its value."""

    code = "settings_invalid"
    hint = "See docs/settings.md, or `paperledger config show`."


class LibraryNotFound(CommandError):
    """There is no library in that folder."""

    code = "library_not_found"
    hint = "`paperledger add PATH` makes one; --library or PAPERLEDGER_LIBRARY chooses the folder."


class AddressInUse(CommandError):
    """The service cannot listen on that address."""

    code = "address_in_use"
    hint = "Choose another --port, or stop what listens there."


class NothingToAdd(CommandError):
    """No PDF was found under the given paths."""

    code = "nothing_to_add"
    hint = "Give PDF files, or folders that hold some."


class LocationNotFound(CommandError):
    """No such location in the library, or not one of yours."""

    code = "location_not_found"
    hint = "`paperledger search` and `paperledger structure` list locations."


class FileUnusable(CommandError):
    """A file or folder cannot be read or written, or the disk is full."""

    code = "file_unusable"
    hint = "Check the path and the free space."


class FileForbidden(CommandError):
    """The system does not permit what was to be done with a file or folder."""

    code = "file_forbidden"
    hint = "Check the permissions, or choose another path."


class SecretUnreadable(CommandError):
    """The file of a password or a token cannot be read as text."""

    code = "secret_unreadable"
    hint = "Give a text file in UTF-8."
