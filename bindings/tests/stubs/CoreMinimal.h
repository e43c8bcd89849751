#ifndef STAND_IN_CORE_MINIMAL_H
#define STAND_IN_CORE_MINIMAL_H
// Macros that Unreal defines and that a header has to live with.
#define check(expression) ((void)(expression))
#define verify(expression) ((void)(expression))
#define TEXT(text) L##text
#define PI 3.1415926535897932f
#define UE_LOG_PORTAMENTO(words) ((void)(words))
struct FQuat {
    double X = 0.0, Y = 0.0, Z = 0.0, W = 1.0;
    FQuat() = default;
    FQuat(double x, double y, double z, double w) : X(x), Y(y), Z(z), W(w) {}
};
struct FVector {
    double X = 0.0, Y = 0.0, Z = 0.0;
    FVector() = default;
    FVector(double x, double y, double z) : X(x), Y(y), Z(z) {}
    FQuat ToOrientationQuat() const { return {}; }
};
#endif
