"""The storage core: documents, change-sets, files and SQL state; it knows no Telegram and no language."""
