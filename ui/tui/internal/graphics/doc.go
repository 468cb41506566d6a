// Package graphics converts pictures for terminals, and tracks which pictures are drawn.
//
// [Prepare] decodes a picture within limits, scales it, and encodes it for one of three protocols:
// kitty graphics, iTerm2 inline images, or sixel. Prepare may take a tenth of a second, so it runs
// outside the loop. [Cache] keeps the prepared pictures. [Layer] tracks the pictures on the
// terminal, and returns the output that changes them.
//
// A picture is drawn completely or not at all, and its cells contain nothing else. Pictures in
// kitty's protocol cover the text, and Marvin removes them by ID. Pictures in the other protocols
// occupy the cells, and disappear when text is written there. If the frame writes to their cells,
// they are drawn again.
//
// Three alternatives were rejected. Kitty's Unicode placeholders are not supported by WezTerm and
// Konsole. Pictures cut at the edge of the window would require sixels to be encoded again for each
// row. Colored half blocks, for terminals without pictures, are less useful than a line of text.
package graphics
