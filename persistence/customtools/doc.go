// Package customtools reads custom tools from the user's folder and from a project's folder. It
// also stores which tools in a project the user accepted.
package customtools
