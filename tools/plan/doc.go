// Package plan lets a model keep a checklist in sight of its person, and lay a plan before
// them where nothing may be changed without one.
//
// A plan is sent whole each time: what models write as changes of a list goes wrong as soon
// as they remember the list wrong, and the whole of ten steps takes 150 tokens.
package plan
