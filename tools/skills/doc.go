// Package skills provides the tool that reads a skill. The prompt contains only the name and a
// one-line description of each skill.
package skills
