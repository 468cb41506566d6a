package actors

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"
	"unsafe"

	"github.com/asynkron/protoactor-go/actor"
)

// plain is a value for a reader: its fields that say something, without addresses.
func plain(value any) string {
	if value == nil {
		return "nil"
	}
	holder := reflect.New(reflect.TypeOf(value)).Elem()
	holder.Set(reflect.ValueOf(value))
	return plainValue(holder, 0)
}

func plainValue(v reflect.Value, depth int) string {
	if depth > 8 {
		return "…"
	}
	if v.CanAddr() && !v.CanInterface() { // a field that is not exported
		v = reflect.NewAt(v.Type(), unsafe.Pointer(v.UnsafeAddr())).Elem()
	}
	if v.CanInterface() {
		switch value := v.Interface().(type) {
		case *actor.PID:
			return value.GetId()
		case error:
			return fmt.Sprintf("%q", value.Error())
		case time.Time:
			if since := value.Sub(noon); !value.IsZero() && since.Abs() < 24*time.Hour {
				return fmt.Sprintf("noon%+v", since)
			}
			return map[bool]string{true: "never", false: "once"}[value.IsZero()]
		case []byte:
			return fmt.Sprintf("%q", value)
		case *strings.Builder:
			return fmt.Sprintf("%q", value.String())
		case fmt.Stringer:
			if v.Kind() != reflect.Pointer || !v.IsNil() {
				return value.String()
			}
		}
	}
	return plainKind(v, depth)
}

func plainKind(v reflect.Value, depth int) string {
	var parts []string
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			return "nil"
		}
		inner := v.Elem()
		if v.Kind() == reflect.Interface { // what is in it has no address
			holder := reflect.New(inner.Type()).Elem()
			holder.Set(inner)
			inner = holder
		}
		return plainValue(inner, depth+1)
	case reflect.String:
		if text := v.String(); len(text) > 300 {
			return fmt.Sprintf("%q…%d", text[:200], len(text))
		}
		return fmt.Sprintf("%q", v.String())
	case reflect.Func, reflect.Chan, reflect.UnsafePointer:
		return "there"
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			parts = append(parts, plainValue(v.Index(i), depth+1))
		}
		return "[" + strings.Join(parts, " ") + "]"
	case reflect.Map:
		for _, key := range v.MapKeys() {
			holder := reflect.New(v.Type().Elem()).Elem()
			holder.Set(v.MapIndex(key))
			parts = append(parts, plain(key.Interface())+":"+plainValue(holder, depth+1))
		}
		slices.Sort(parts)
		return "{" + strings.Join(parts, " ") + "}"
	case reflect.Struct:
		for i := range v.NumField() {
			if field := v.Field(i); !field.IsZero() {
				parts = append(parts, v.Type().Field(i).Name+"="+plainValue(field, depth+1))
			}
		}
		return strings.TrimPrefix(v.Type().String(), "actors.") + "(" + strings.Join(parts, " ") + ")"
	}
	return fmt.Sprint(v)
}
