// Package graphics makes pictures into what terminals draw, and remembers what is drawn.
//
// [Prepare] decodes a picture within bounds, scales it, and writes it in one of the three
// protocols: kitty's, iTerm2's inline images, sixel. It may take a tenth of a second and is
// called beside the loop of the screen. [Cache] keeps what it made, by content. [Layer] is
// what stands on the terminal now, and how it becomes what should stand there.
//
// The rule is simple: a picture is on the screen as a whole or not at all, and nothing else is
// in its cells. Where cells under it are written again it is drawn again. Kitty's pictures
// are over the text, named, and taken away by their names; the other two are in the cells
// and gone when text is written there.
//
// Decided against: kitty's placeholders of Unicode (WezTerm and Konsole do not know them),
// pictures that are cut at the edge (sixel would have to be made anew for each row), and
// halves of blocks in colour where a terminal draws no pictures (text says more).
package graphics
