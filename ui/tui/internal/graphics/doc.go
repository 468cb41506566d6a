// Package graphics converts pictures for terminals, and tracks what is drawn.
//
// [Prepare] decodes a picture within limits, scales it, and encodes it in one of three protocols:
// kitty's, iTerm2's inline images, sixel. It may take a tenth of a second and runs beside the loop.
// [Cache] keeps its results, by content. [Layer] is what is on the terminal now, and how to change
// it.
//
// The rule is simple: a picture is drawn completely or not at all, and nothing else is in its
// cells. If cells under it are written, it is drawn again. Kitty's pictures are above the text,
// named, and removed by name; the others are in the cells and disappear when text is written there.
//
// Decided against: kitty's Unicode placeholders (WezTerm and Konsole do not know them), pictures
// cut at the edge (sixel would have to be encoded again for each row), and colored half blocks on
// terminals without pictures (text says more).
package graphics
