package command

import (
	"context"

	"marvin/messages"
)

// changeDirectory changes the working directory. After the change, the sandbox allows the new
// directory instead of the old one. If path is "", changeDirectory shows the working directory.
func (e *Engine) changeDirectory(path string) {
	dir := e.Talk.Dir
	e.runOutside("look for the directory", func(context.Context) func() {
		found, err := e.Host.Directory(path, dir)
		return func() {
			switch {
			case err != nil:
				e.fail(err)
			case path == "":
				e.say("The working directory is " + found + "; /cd DIR changes it.")
			case found == e.Talk.Dir:
				e.say("The working directory is " + found + " already.")
			default:
				e.ask("change the directory", messages.SetDir{Path: found})
			}
		}
	})
}
