package main

import (
	"encoding/json"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"marvin/tools"
)

func TestEveryToolSaysWhereItsDataGoes(t *testing.T) {
	address := regexp.MustCompile(`(?i)url|uri|link|host|address|site$|endpoint|server|webhook|topic`)
	fixed := []string{ // parameters of services, of the person, or of this machine
		"github_clone repo", "stack_search site", "stack_answers site", "spotify_add_tracks tracks", "save_place address", "ntfy_unsubscribe topic",
	}
	for _, tool := range registry(t).All() {
		if tool.Pool == tools.Net && tool.Service == "" && !tool.Sends {
			t.Errorf("%s reaches the network and says neither Service nor Sends", tool.Name)
		}
		if tool.Effect == tools.Outside && !tool.Sends {
			t.Errorf("%s shows something to others and does not say what (Sends)", tool.Name)
		}
		for name, of := range schemaOf(t, tool).Properties {
			looks := address.MatchString(name) || regexp.MustCompile(`(?i)\burl\b|web address|https?:`).MatchString(of.Says)
			if looks && !tool.Sends && !slices.Contains(fixed, tool.Name+" "+name) {
				t.Errorf("%s takes %s (%s) and does not say what of it leaves (Sends)", tool.Name, name, of.Says)
			}
		}
	}
}

func TestToolsAskWhomTheyName(t *testing.T) {
	t.Parallel() // most of it is politeness: pauses between requests
	b := newBench(t)
	for _, answer := range []http.HandlerFunc{
		func(http.ResponseWriter, *http.Request) {},
		func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "down", http.StatusServiceUnavailable) },
	} {
		for _, tool := range b.registry.All() {
			b.answers(answer)
			_, _ = b.call(t.Context(), t, tool, nil)
			named := strings.Split(tool.Service, ", ")
			for _, to := range destinations(t, b, tool) {
				named = append(named, to.Name)
			}
			for _, host := range b.asked() {
				if !slices.ContainsFunc(named, func(name string) bool { return host == name || strings.HasSuffix(host, "."+name) }) {
					t.Errorf("%s asks %s and names %q", tool.Name, host, named)
				}
			}
		}
	}
}

// destinations returns the places to which the plausible call of a tool sends data, according to
// the tool.
func destinations(t *testing.T, b *bench, tool tools.Tool) []tools.Destination {
	t.Helper()
	args := map[string]any{}
	shape := schemaOf(t, tool)
	for _, name := range shape.Required {
		args[name] = plausible(name, shape.Properties[name])
	}
	encoded, err := json.Marshal(args)
	if err != nil {
		t.Fatal(err)
	}
	call, err := tool.Decode(encoded)
	if err != nil {
		return nil // a call that is not made
	}
	return call.Destinations(b.env)
}

func TestToolsWithoutForeignWordsAreListed(t *testing.T) {
	own := strings.Fields(`create_file append_file set_working_dir launch_agent create_ticket ticket_start ticket_close ticket_add_note ticket_add_dep
		write_note notes_mkdir move_note remove_note setup_google_auth save_place remove_place calendar_add_event set_alarm cancel_alarm timer_start timer_check timer_stop
		generate_ntfy_topic ntfy_subscribe ntfy_unsubscribe ntfy_publish spotify_auth spotify_create_playlist spotify_add_tracks bookmark_save
		switch_profile update_preferences compact_history system_info clock convert_units get_usage exit_app find_tools remember forget update_plan ask_user propose_plan calculate github_pr_comment github_pr_create schedule_prompt list_schedules cancel_schedule`)
	for _, tool := range registry(t).All() {
		if tool.Untrusted() == slices.Contains(own, tool.Name) {
			t.Errorf("%s taints: %t", tool.Name, tool.Untrusted())
		}
	}
}
