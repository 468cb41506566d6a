// Package files reads and changes files in the working directory.
//
// The tools belong to coding mode. Read-only calls run concurrently. A call that changes files runs
// alone, so a command or a search never sees half of a patch. All paths go through
// tools/internal/box.
package files

import (
	"marvin/tools"
)

// Tools returns the file tools in the order in which a model should consider them.
func Tools() []tools.Tool {
	return []tools.Tool{readTool(), createTool(), appendTool(), patchTool()}
}
