package command_test

import "testing"

// A page of a conversation is headed by the name that it was given, at once.
func TestARenamedConversationIsHeadedByItsName(t *testing.T) {
	d := sitDown(t)
	if d.engine.Take("/rename The   release "); d.talk.Heading() != "The release" {
		t.Errorf("it is headed %q", d.talk.Heading())
	}
}
