package session

import (
	"github.com/asynkron/protoactor-go/actor"

	"marvin/actors/internal/task"
	"marvin/messages"
	"marvin/tools"
)

// tellArtifacts sends the user the list of stored artifacts. A task makes the list, because the
// artifacts are on disk.
func (l *lookups) tellArtifacts(c actor.Context) {
	log := l.state.conversation.Artifacts
	task.Do(c, func() any {
		artifacts := log.Get()
		told := messages.Artifacts{All: []messages.Artifact{}}
		for _, one := range artifacts.List() {
			told.All = append(told.All, messages.Artifact{
				Number: one.Number, Address: tools.ArtifactAddress(one.Number), Path: artifacts.Place(one.Number), Tool: one.Tool, Title: one.Title,
				At: one.At, Size: one.Size, Total: one.Total, Lines: one.Lines, Media: one.Media, Foreign: one.Foreign,
			})
		}
		return told
	}, func(panicked *task.Panicked) any {
		return messages.Notice{Level: messages.Warning, Text: panicked.Error()}
	})
}
