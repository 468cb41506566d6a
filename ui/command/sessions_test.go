package command_test

import "testing"

// The heading of a conversation shows a new name at once.
func TestARenamedConversationIsHeadedByItsName(t *testing.T) {
	d := sitDown(t)
	if d.engine.Take("/rename The   release "); d.talk.Heading() != "The release" {
		t.Errorf("it is headed %q", d.talk.Heading())
	}
}
