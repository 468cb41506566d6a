package session

import (
	"github.com/asynkron/protoactor-go/actor"

	"marvin/actors/internal/conv"
	"marvin/actors/internal/task"
	"marvin/messages"
)

// lookups responds to requests for information about the conversation. It reads from disk with
// [task.Do].
type lookups struct {
	*emitter
	config  *conv.Setup
	keeping *keeping
	jobs    *actor.PID
}

// treeUnread is sent instead of the tree if the conversation cannot be read.
type treeUnread struct {
	request string
	err     error
}

// tree creates a task that reads the conversation's turns and branches.
func (l *lookups) tree(c actor.Context) {
	kept, request := l.state.conversation.Stored, l.requestID()
	if kept == nil {
		l.warn(notStored)
		return
	}
	written := l.keeping.flushed(c)
	task.Do(c, func() any {
		written()
		tree, err := kept.Log.Tree()
		if err != nil {
			return treeUnread{request: request, err: err}
		}
		return tree
	}, func(panicked *task.Panicked) any { return treeUnread{request: request, err: panicked} })
}

func (l *lookups) op(c actor.Context, op messages.Op) {
	switch op.(type) {
	case messages.ListSent:
		l.showSent(c)
	case messages.ListTree:
		l.tree(c)
	case messages.ListArtifacts:
		l.tellArtifacts(c)
	default:
		l.context(c, op)
	}
}
