"""The words, names, numbers and sentences of a text, in English and Korean, as every later step reads them."""
