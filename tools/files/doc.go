// Package files reads and changes files of the working directory.
//
// The tools belong to coding mode. Reading is shared: it runs concurrently with other reads.
// Changing is exclusive, so commands and searches see whole patches. All paths go through
// tools/internal/box.
package files

import (
	"marvin/tools"
)

// Tools are the file tools in the order in which a model should think of them.
func Tools() []tools.Tool {
	return []tools.Tool{readTool(), createTool(), appendTool(), patchTool()}
}
