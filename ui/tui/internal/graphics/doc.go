// Package graphics converts pictures for terminals, and tracks which ones are drawn.
//
// [Prepare] decodes a picture within limits, scales it, and encodes it in one of three protocols:
// kitty's, iTerm2's inline images, or sixel. It may take a tenth of a second, so it runs outside
// the loop. [Cache] keeps the prepared pictures. [Layer] tracks the pictures on the terminal, and
// returns the output that changes them.
//
// A picture is drawn completely or not at all, and its cells contain nothing else. Pictures in
// kitty's protocol cover the text, and Marvin removes them by ID. Pictures in the other protocols
// occupy the cells, and disappear when text is written there. If the frame writes to their cells,
// they are drawn again.
//
// Three alternatives were rejected. WezTerm and Konsole do not support kitty's Unicode
// placeholders. If pictures were cut at the edge of the window, sixels would have to be encoded
// again for each row. On terminals without pictures, a line of text is more useful than colored
// half blocks.
package graphics
