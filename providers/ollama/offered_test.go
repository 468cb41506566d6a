package ollama_test

import (
	"net/http/httptest"
	"testing"

	"marvin/providers/modeltest"
	"marvin/providers/ollama"
)

func TestModelsAreListedWithWhatTheyCan(t *testing.T) {
	listening := httptest.NewServer(modeltest.New(nil).Install(modeltest.Local{Name: "seer:4b", Can: []string{"completion", "vision", "tools"}}, modeltest.Local{Name: "talker:1b", Can: []string{"completion"}}))
	defer listening.Close()
	list, err := ollama.ListModels(t.Context(), listening.URL, listening.Client())
	if err != nil || len(list) != 2 {
		t.Fatalf("%+v, %v", list, err)
	}
	seer, talker := list[0], list[1]
	if seer.Name != "seer:4b" || !*seer.Sees || !*seer.Tools || *seer.Thinks || *talker.Sees || *talker.Tools {
		t.Errorf("%+v, %+v", seer, talker)
	}
}
