// Package skills lets a model read a skill on demand. Until then, the model knows only the skill's
// name and a one-line description.
package skills
