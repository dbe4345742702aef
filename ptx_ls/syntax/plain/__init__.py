"""Reads plain lines and statements by regular expressions, without the statement parser."""
