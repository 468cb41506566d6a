// Package ask lets a model ask its person: several questions at once, each with options and
// the reasons for them, answered by a key or in own words.
//
// A question holds nothing up for good. What the model states as default is taken where
// nobody answers in time, and where nobody is there at all; the model is told so.
package ask
