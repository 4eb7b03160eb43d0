/** Ordinary words with capitals, digits, spaces and line ends, and characters of two, three and four bytes. */
export const trainingText = `The tokenizer reads the text from the left to the right, and then it joins the two tokens that
it has joined most often before. The text in the training set is the text of the tokenizer: the more often two tokens
stand next to each other, the earlier the merge that joins them. In the end there are the bytes, the merges, and the rest.

A round trip says: encode the text, decode the tokens, and there is the text again. Not the text without its spaces,
not the text in lower case, not the text with other accents: the same text, byte for byte. This is the one thing that
a tokenizer must not break, and the one thing that is easy to test, with 10 strings, with 100 strings, with 10000 strings.

Un café, deux cafés, trois cafés. Le café est prêt, la théorie aussi. 中文 and 中文, 😀 and 😀: four bytes are four bytes.
`;

/** The number of merges of the tokenizer. */
export const mergeCount = 64;
