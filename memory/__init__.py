"""The storage core: documents, change-sets, files and SQL state.

It knows no Telegram and no language.
"""
