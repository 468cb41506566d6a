package tools_test

import (
	"encoding/json"
	"testing"

	"marvin/tools"
)

// The pattern of a deny or ask rule is compared with every text in the arguments of a call, at
// any depth, and with the names in nested objects that the tool does not declare.
func TestMPatternRulesOfToolsMatchTheirArguments(t *testing.T) {
	tool := forecast()
	for _, test := range []struct {
		allow, ask, deny string
		args             string
		want             tools.Verdict
	}{
		{deny: "weather_forecast(Upp*)", args: `{"place":"Uppsala"}`, want: tools.Verdict{Decision: tools.Deny, Ruled: true}},
		{deny: "weather_forecast(Upp*)", args: `{"place":"Lund"}`, want: tools.Verdict{Decision: tools.Ask}},
		{deny: "weather_forecast(storm*)", args: `{"place":"Lund","tags":["rain","storms"]}`, want: tools.Verdict{Decision: tools.Deny, Ruled: true}},
		{deny: "weather_forecast(storm*)", args: `{"place":"Lund","tags":["rain",7]}`, want: tools.Verdict{Decision: tools.Ask}},
		{deny: "weather_forecast(storm*)", args: `{"place":"Lund","more":[{"storms":1}]}`, want: tools.Verdict{Decision: tools.Deny, Ruled: true}},
		{deny: "weather_forecast(unit*)", args: `{"place":"Lund","more":[{"units":1}]}`, want: tools.Verdict{Decision: tools.Ask}},
		{ask: "weather_forecast(metric)", args: `{"place":"Lund","units":"metric"}`, want: tools.Verdict{Decision: tools.Ask, Firm: true, Ruled: true}},
		{allow: "weather_forecast(L*)", args: `{"place":"Lund"}`, want: tools.Verdict{Decision: tools.Allow, Ruled: true}},
		{allow: "weather_forecast(L*)", args: `{"place":"Uppsala"}`, want: tools.Verdict{Decision: tools.Ask}},
		{deny: "weather_forecast(days=7)", args: `{"place":"Lund","days":7}`, want: tools.Verdict{Decision: tools.Deny, Ruled: true}},
		{deny: "weather_forecast(days=7)", args: `{"place":"Lund","days":0.7e1}`, want: tools.Verdict{Decision: tools.Deny, Ruled: true}},
		{deny: "weather_forecast(days=7)", args: `{"place":"Lund","days":70}`, want: tools.Verdict{Decision: tools.Ask}},
		{deny: "weather_forecast(true)", args: `{"place":"Lund","more":[{"alarm":true}]}`, want: tools.Verdict{Decision: tools.Deny, Ruled: true}},
		{allow: "weather_forecast(7)", args: `{"days":7,"place":"Lund"}`, want: tools.Verdict{Decision: tools.Ask}},
		{deny: "weather_forecast(Upp*)", args: `[]`, want: tools.Verdict{Decision: tools.Ask}},
	} {
		permissions, err := tools.NewPermissions(rule(test.allow), rule(test.ask), rule(test.deny))
		if err != nil {
			t.Fatal(err)
		}
		got := permissions.Judge(tools.Call{Tool: &tool}, tools.Env{Person: true}, json.RawMessage(test.args), true)
		if got.Decision != test.want.Decision || got.Firm != test.want.Firm || got.Ruled != test.want.Ruled {
			t.Errorf("%+v: %+v", test, got)
		}
	}
}

func rule(entry string) []string {
	if entry == "" {
		return nil
	}
	return []string{entry}
}

func TestMissingUserIsARefusal(t *testing.T) {
	tool, line := forecast(), "git push --force"
	for _, test := range []struct {
		person bool
		want   string
	}{{true, "ask"}, {false, "deny"}} {
		got := (*tools.Permissions)(nil).Judge(tools.Call{Tool: &tool, Command: &line}, tools.Env{Person: test.person, Dir: "/p"}, nil, true)
		if got.Decision.String() != test.want {
			t.Errorf("person %t: %s", test.person, got.Decision)
		}
	}
}
