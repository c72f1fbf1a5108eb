"""Looking at memory and changing it by menus, and finding things in it."""
