package undo

import (
	"slices"

	"marvin/persistence/undolog"
	"marvin/tools"
)

// Call is a call that is taken back by another one, which its owner makes and then tells of.
type Call struct {
	Title   string // of the call that is taken back
	Back    undolog.Back
	Refused string // why nothing is done about it; "" if something is
	from    undolog.Record
	failed  string
	done    bool
}

func isCall(one undolog.Record) bool { return one.Dir == "" }

// callsOf are the calls among records: what was done last is taken back first, and what was
// taken back last is done again first.
func callsOf(records []undolog.Record) (calls []*Call) {
	for _, one := range slices.Backward(records) {
		if !isCall(one) {
			continue
		}
		call := &Call{Title: one.Title, Refused: one.Lost, from: one}
		switch {
		case one.Back != nil:
			call.Back = *one.Back
		case call.Refused == "":
			call.Refused = "Marvin knows no call that undoes it"
		}
		calls = append(calls, call)
	}
	return calls
}

// other is a call that is not taken back, with the reason.
func other(one undolog.Record) string {
	if one.Lost == "" {
		return tools.Visible(one.Title)
	}
	return tools.Visible(one.Title) + ": " + tools.Visible(one.Lost)
}

func (c *Call) says() string {
	if c.Refused != "" {
		return "stays as it is: " + tools.Visible(c.Refused)
	}
	if c.Back.Tool == tools.PutBackName {
		return "its change will be reverted"
	}
	shown, _ := tools.Limits{Bytes: 500}.Cut(tools.Visible(string(c.Back.Args)))
	return "by " + c.Back.Tool + " " + shown
}

// Made writes down that a call was taken back, and what takes that back again.
func (p *Plan) Made(call *Call, journal *undolog.Journal, inverse *tools.Inverse) error {
	call.done = true
	record := undolog.Record{Kind: p.kind(), Of: []int64{call.from.ID}, Turn: call.from.Turn, Tool: call.Back.Tool, Title: call.Title}
	switch {
	case inverse == nil:
		record.Lost = lasting(call.Back.Tool)
	case inverse.Tool == "":
		record.Lost = inverse.Lasts
	default:
		record.Back = &undolog.Back{Tool: inverse.Tool, Args: inverse.Args}
	}
	return journal.Add([]undolog.Record{record}, [][]byte{nil})
}

// Failed notes why a call was not taken back.
func (c *Call) Failed(why string) { c.failed = tools.Visible(why) }

// Called are the calls that were taken back, or done again, as people know them.
func (p *Plan) Called() (titles []string) {
	for _, call := range p.Calls {
		if call.done {
			titles = append(titles, call.Title)
		}
	}
	return titles
}
