package session

import (
	"github.com/asynkron/protoactor-go/actor"

	"marvin/actors/internal/conv"
	"marvin/actors/internal/task"
	"marvin/messages"
)

// lookups are what people want to see of a conversation. It is found out beside the session,
// because most of it is on the disk.
type lookups struct {
	*emitter
	config  *conv.Setup
	keeping *keeping
	jobs    *actor.PID
}

// treeRead is the answer to a list request.
type treeRead struct {
	tree    messages.Tree
	request string
	err     error
}

// tree reads what the conversation has.
func (l *lookups) tree(c actor.Context) {
	kept, request := l.state.conversation.Kept, l.requestID()
	if kept == nil {
		l.warned(notKeptAtAll)
		return
	}
	written := l.keeping.behind(c)
	task.Do(c, func() any {
		written()
		tree, err := kept.Log.Tree()
		return treeRead{tree: tree, request: request, err: err}
	}, func(panicked *task.Panicked) any { return treeRead{request: request, err: panicked} })
}

func (l *lookups) treeRead(message treeRead) {
	if message.err != nil {
		l.answering(&message.request).warned(message.err.Error())
		return
	}
	l.tell(message.tree)
}

func (l *lookups) receive(message any) {
	switch message := message.(type) {
	case treeRead:
		l.treeRead(message)
	case artifactsListed:
		l.artifactsListed(message)
	}
}

func (l *lookups) op(c actor.Context, op messages.Op) {
	switch op.(type) {
	case messages.ListSent:
		l.sent(c)
	case messages.ListTree:
		l.tree(c)
	case messages.ListArtifacts:
		l.artifacts(c)
	default:
		l.context(c, op)
	}
}
