// Package skills lets a model read a skill when it needs it. Before that, the model knows only the
// skill's name and a line about it.
package skills
