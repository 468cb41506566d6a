// Package customtools reads tools from the folders of the user and of a project. It also stores
// which tools of a project the user accepted.
package customtools
