// Package graphicstest simulates a terminal that draws pictures, for tests. The terminal interprets
// the bytes that a program writes, including the three picture protocols, and returns the pictures
// on the screen. It is strict, and reports errors that a real terminal might tolerate.
//
// Sources: kitty's "Terminal graphics protocol" (sw.kovidgoyal.net/kitty/graphics-protocol),
// iTerm2's "Inline Images Protocol" (iterm2.com/documentation-images.html) and chapter 14, "Sixel
// Graphics", of the VT330/VT340 Programmer Reference Manual
// (vt100.net/docs/vt3xx-gp/chapter14.html).
package graphicstest
