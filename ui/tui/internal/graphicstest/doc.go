// Package graphicstest simulates a terminal that draws pictures, for tests. The simulated terminal
// interprets a program's output, including the three picture protocols, and reports errors that a
// real terminal might tolerate.
//
// Sources: kitty's "Terminal graphics protocol" (sw.kovidgoyal.net/kitty/graphics-protocol),
// iTerm2's "Inline Images Protocol" (iterm2.com/documentation-images.html) and chapter 14, "Sixel
// Graphics", of the VT330/VT340 Programmer Reference Manual
// (vt100.net/docs/vt3xx-gp/chapter14.html).
package graphicstest
