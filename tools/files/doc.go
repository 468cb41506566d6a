// Package files reads and changes files of the working directory.
//
// The tools belong to coding mode. Read calls run concurrently. Calls that change files are
// exclusive, so commands and searches see complete patches. All paths go through
// tools/internal/box.
package files

import (
	"marvin/tools"
)

// Tools returns the file tools in the order in which a model should consider them.
func Tools() []tools.Tool {
	return []tools.Tool{readTool(), createTool(), appendTool(), patchTool()}
}
