// Package graphics converts pictures for terminals, and tracks which pictures are drawn.
//
// [Prepare] checks a picture's size, decodes and scales the picture, and encodes it for one of
// three protocols: kitty graphics, iTerm2 inline images, or sixel. Prepare can take a tenth of a
// second, so it runs outside the screen's loop. [Cache] keeps the prepared pictures. [Layer] tracks
// the pictures on the terminal, and returns the output that changes them.
//
// A picture is drawn completely or not at all, and its cells contain nothing else. In kitty's
// protocol, pictures cover the text and are removed by ID. In the other protocols, pictures occupy
// cells. When a frame writes to these cells, the pictures disappear and must be drawn again.
//
// Three alternatives were rejected. WezTerm and Konsole do not support kitty's Unicode
// placeholders. Clipping pictures at the edge of the window would require encoding sixels again for
// each row. On terminals that cannot show pictures, colored half blocks are less useful than a line
// of text.
package graphics
