"""Where Telegram is met: updates become turns, posts are kept until they are delivered."""
