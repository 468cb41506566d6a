package actors_test

import (
	"testing"

	"marvin/actors"
	"marvin/actors/actorstest"
	"marvin/messages"
	"marvin/providers/modeltest"
)

func TestAPromptIsBegunBeforeItsConversationEnds(t *testing.T) {
	reading, read := make(chan struct{}), make(chan struct{})
	tree := actorstest.Start(t, actorstest.Setup{Server: modeltest.StartFunc(t, func(modeltest.Request) modeltest.Step { return modeltest.Hang() }), Others: actors.Extensions{Reread: func() (actors.Reread, bool) {
		close(reading)
		<-read
		return actors.Reread{}, false
	}}})
	t.Cleanup(func() { close(read) })
	tree.Client.Send(messages.Say("go"))
	<-reading
	tree.Client.Send(messages.Quit{})
	actorstest.ReadUntil[messages.Closed](tree)
	begun, ended := actorstest.Pick[messages.TurnStarted](tree.Seen), actorstest.Pick[messages.TurnEnded](tree.Seen)
	if len(begun) != 1 || len(ended) != 1 || ended[0].Outcome != messages.Cancelled {
		t.Errorf("begun %+v, ended %+v, withdrawn %+v", begun, ended, actorstest.Pick[messages.Withdrawn](tree.Seen))
	}
}
