package main

import (
	"fmt"
	"strings"
	"testing"
)

func TestTheSlowestComeFirstAndFailuresAreNamed(t *testing.T) {
	var in, out strings.Builder
	for i := range 12 {
		fmt.Fprintf(&in, `{"Action":"pass","Package":"marvin/a","Test":"Test%d","Elapsed":%d}`+"\n", i, i)
	}
	in.WriteString(`{"Action":"output","Package":"marvin/a","Test":"Test1","Output":"x"}
{"Action":"pass","Package":"marvin/a","Test":"Test1/part","Elapsed":99}
{"Action":"fail","Package":"marvin/b","Test":"TestBroken","Elapsed":10.5}
{"Action":"fail","Package":"marvin/b","Elapsed":70}
a package does not build
`)
	failed, err := slowest(strings.NewReader(in.String()), &out)
	want := `FAILED marvin/b TestBroken
FAILED marvin/b 
a package does not build
   11.00s  marvin/a Test11
   10.50s  marvin/b TestBroken
   10.00s  marvin/a Test10
    9.00s  marvin/a Test9
    8.00s  marvin/a Test8
    7.00s  marvin/a Test7
    6.00s  marvin/a Test6
    5.00s  marvin/a Test5
    4.00s  marvin/a Test4
    3.00s  marvin/a Test3

   70.00s  marvin/b 

`
	if !failed || err != nil || out.String() != want {
		t.Errorf("%t, %v\n%s", failed, err, out.String())
	}
}

func TestNothingFails(t *testing.T) {
	if failed, err := slowest(strings.NewReader(`{"Action":"pass","Test":"TestA"}`), &strings.Builder{}); failed || err != nil {
		t.Errorf("%t, %v", failed, err)
	}
}
