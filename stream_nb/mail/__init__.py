"""What a mail says: raw RFC 5322 bytes to the parts a learner reads. Pure: bytes in, text out."""
