package blender

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"net"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"marvin/tools"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// scene starts testdata/scene.py and returns an environment with its address.
func scene(t *testing.T) tools.Env {
	t.Helper()
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("python3 is not installed, which runs what Blender would")
	}
	child := exec.Command(python, "testdata/scene.py")
	child.Stderr = os.Stderr
	out, err := child.StdoutPipe()
	if err == nil {
		err = child.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = child.Process.Kill(); _ = child.Wait() })
	port, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	return at("127.0.0.1:" + strings.TrimSpace(port))
}

func at(address string) tools.Env {
	host, port, _ := net.SplitHostPort(address)
	return tools.Env{Environ: []string{"BLENDER_MCP_HOST=" + host, "BLENDER_MCP_PORT=" + port}}
}

// say accepts one connection, reads the command and replies with the given bytes.
func say(t *testing.T, answer string, hangUp bool) tools.Env {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	t.Cleanup(func() { _ = listener.Close(); <-done })
	go func() {
		defer close(done)
		connection, err := listener.Accept()
		if err != nil {
			return
		}
		defer connection.Close()
		var command map[string]any
		if json.NewDecoder(connection).Decode(&command) != nil {
			return
		}
		_, _ = connection.Write([]byte(answer))
		if !hangUp { // until the client closes the connection
			_, _ = connection.Read(make([]byte, 1))
		}
	}()
	return at(listener.Addr().String())
}

func call(ctx context.Context, t *testing.T, env tools.Env, name string, args map[string]any) (string, error) {
	t.Helper()
	encoded, err := json.Marshal(args)
	if err != nil {
		t.Fatal(err)
	}
	for _, tool := range Tools() {
		if tool.Name != name {
			continue
		}
		call, err := tool.Decode(encoded)
		if err != nil {
			return "", err
		}
		output, err := call.Run(ctx, env)
		return output.Text, err
	}
	t.Fatalf("no tool %s", name)
	return "", nil
}

func flat(text string) string { return strings.Join(strings.Fields(text), " ") }

// evil is a name that would end a string or a program if it were not escaped.
const evil = `x"); import os; os._exit(3) #'''\` + "\n{}%s \u202eé𝄞"

func TestProgramsDoWhatTheirToolsSay(t *testing.T) {
	env := scene(t)
	type in = map[string]any
	for _, step := range []struct {
		tool string
		args in
		want string // part of the answer without line breaks; "Error: …" part of an error
	}{
		{"blender_get_scene", nil, `{ "name": "Scene", "object_count": 2, "objects": [ { "name": "Cube", "type": "MESH" }, { "name": "Lamp", "type": "LIGHT" } ], "materials_count": 0 }`},
		{"blender_get_object", in{"name": "Cube"}, `{ "name": "Cube", "type": "MESH", "location": [ 0.0, 0.0, 0.0 ], "rotation": [ 0.0, 0.0, 0.0 ], "scale": [ 1.0, 1.0, 1.0 ], "materials": [] }`},
		{"blender_get_object", in{"object_name": "Nope"}, "Error: it refused: Object not found: Nope"},
		{"blender_create_object", in{"object_type": "SPHERE", "name": evil, "location": "[1,2,3.5]"}, `"location": [ 1, 2, 3.5 ], "rotation": [ 0, 0, 0 ], "scale": [ 1, 1, 1 ] }`},
		{"blender_modify_object", in{"object_name": evil, "scale": []int{2, 2, 2}}, `"location": [ 1, 2, 3.5 ], "rotation": [ 0, 0, 0 ], "scale": [ 2, 2, 2 ] }`},
		{"blender_set_material", in{"object_name": evil, "material_name": evil, "color": []float64{7, 0, -1}}, `"color": [ 1, 0, 0, 1 ] }`},
		{"blender_delete_object", in{"object_name": evil}, `{ "deleted": "x\"); import os; os._exit(3) #'''\\\n{}%s \u202e\u00e9\ud834\udd1e" }`},
		{"blender_delete_object", in{"object_name": evil}, "Error: it refused: Code execution error: there is no object"},
		{"blender_create_object", in{"object_type": "torus"}, `{ "name": "Torus", "type": "MESH",`},
		{"blender_create_object", in{"object_type": "teapot"}, "Error: object_type"},
		{"blender_create_object", in{"object_type": "cube", "location": []int{1, 2}}, "Error: location has 2 numbers"},
		{"blender_modify_object", in{"object_name": "Cube"}, "Error: the call does not say what to change"},
		{"blender_modify_object", in{"object_name": "Cube", "rotation": []int{1, 2, 3, 4}}, "Error: rotation has 4 numbers"},
		{"blender_set_material", in{"object_name": "Lamp"}, "Error: it refused: Code execution error: a LIGHT has no materials"},
		{"blender_set_material", in{"object_name": "Cube"}, `{ "object": "Cube", "material": "Cube material", "color": [ 0.8, 0.8, 0.8, 1 ] }`},
		{"blender_set_material", in{"object_name": "Cube", "color": "red"}, "Error: color"},
		{"blender_get_object", in{"object_name": "Cube"}, `"materials": [ "Cube material" ] }`},
		{"blender_execute_code", in{"code": "print(6 * 7)"}, "42"},
		{"blender_execute_code", in{"code": "1/0"}, "Error: it refused: Code execution error: division by zero"},
		{"blender_execute_code", in{"code": " \n"}, "Error: the code is empty"},
		{"blender_screenshot", in{"max_size": 1}, "Error: it refused: No 3D viewport found"},
	} {
		got, err := call(t.Context(), t, env, step.tool, step.args)
		if err != nil {
			got = "Error: " + err.Error()
		}
		for _, part := range strings.SplitAfterN(step.want, "Error: ", 2) {
			if !strings.Contains(flat(got), part) {
				t.Errorf("%s %v:\n%s\nwant\n%s", step.tool, step.args, flat(got), step.want)
			}
		}
	}
}

func TestScreenshotSaysWhereTheFileIs(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	got, err := call(t.Context(), t, scene(t), "blender_screenshot", map[string]any{"max_size": 99999})
	rest, found := strings.CutPrefix(got, "Saved the 3D view, 4096×2048 pixels, as ")
	if _, missing := os.Stat(strings.TrimSuffix(rest, ".")); err != nil || !found || missing != nil {
		t.Errorf("%q, %v, %v", got, err, missing)
	}
}

// An earlier Marvin read to the end of the stream, and so waited 30 s each time.
func TestAnswerIsReadWhileTheSocketStaysOpen(t *testing.T) {
	env := say(t, `{"status":"success","result":{"name":"S"}}`, false)
	started := time.Now()
	got, err := call(t.Context(), t, env, "blender_get_scene", nil)
	if took := time.Since(started); err != nil || flat(got) != `{ "name": "S" }` || took > 25*time.Second {
		t.Errorf("%q, %v after %s", got, err, took)
	}
	if got, err := Status(t.Context(), say(t, `{"status":"success","result":{"name":"S","object_count":3}}`, false).Environ); err != nil || !strings.HasSuffix(got, `scene "S" with 3 objects.`) {
		t.Errorf("%q, %v", got, err)
	}
}

func TestWrongAnswersAreExplained(t *testing.T) {
	for answer, want := range map[string]string{
		"":                               "the connection broke before the answer arrived",
		`{"status":"success","resu`:      "the connection broke before the answer arrived",
		"HTTP/1.1 400 Bad Request":       "is not the BlenderMCP add-on",
		`[1]`:                            "is not the BlenderMCP add-on",
		`{"status":"error","message":7}`: "is not the BlenderMCP add-on",
		`{"status":"error"}`:             "it refused: no reason given",
		`{"status":"error","message":"Unknown command type: get_scene_info"}`: "Ask the user to update it",
		`{"status":"error","message":"a\u001b[2Jb\u202e"}`:                    "it refused: a‹U+001B›[2Jb‹U+202E›",
		`{"status":"success","result":"` + strings.Repeat("x", maxAnswer):     "more than 4194304 bytes",
	} {
		_, err := call(t.Context(), t, say(t, answer, true), "blender_get_scene", nil)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.60q: %v", answer, err)
		}
	}
	old := say(t, `{"status":"success","result":{"executed":true}}`, false)
	if got, err := call(t.Context(), t, old, "blender_delete_object", map[string]any{"name": "x"}); err != nil || !strings.Contains(got, "old add-on") {
		t.Errorf("an add-on that does not tell what was printed: %q, %v", got, err)
	}
}

func TestNoBlenderAndNoAnswer(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	free := listener.Addr().String()
	_ = listener.Close()
	if _, err := call(t.Context(), t, at(free), "blender_get_scene", nil); err == nil || !strings.Contains(err.Error(), "press Connect") || !strings.Contains(err.Error(), free) {
		t.Errorf("nobody listens: %v", err)
	}
	byUser := errors.New("the user pressed Ctrl-C")
	ctx, cancel := context.WithCancelCause(t.Context())
	stop := time.AfterFunc(50*time.Millisecond, func() { cancel(byUser) })
	defer stop.Stop()
	if _, err := call(ctx, t, say(t, "", false), "blender_get_scene", nil); !errors.Is(err, byUser) {
		t.Errorf("cancelled: %v", err)
	}
}

func TestAddressIsTheUsersOwn(t *testing.T) {
	for want, environ := range map[string][]string{
		"127.0.0.1:9876": nil,
		"10.0.0.5:9876":  {"BLENDER_MCP_HOST=10.0.0.5"},
		"[::1]:1234":     {"BLENDER_MCP_HOST=::1", "BLENDER_MCP_PORT=1234"},
	} {
		if got := address(environ); got != want {
			t.Errorf("%v: %s, want %s", environ, got, want)
		}
	}
}

func TestCodeIsShownBeforeItRuns(t *testing.T) {
	for _, tool := range Tools() {
		if tool.Name != "blender_execute_code" {
			continue
		}
		call, err := tool.Decode([]byte(`{"code":"import os\n# \u202e"}`))
		if err != nil {
			t.Fatal(err)
		}
		if title, detail := call.Confirm(tools.Env{}); title == "" || detail != "import os\n# ‹U+202E›\nat 127.0.0.1:9876" {
			t.Errorf("%q, %q", title, detail)
		}
	}
}
