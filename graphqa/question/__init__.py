"""From what a person typed to what is searched: the standalone question, the files it names, the part of a brain."""
