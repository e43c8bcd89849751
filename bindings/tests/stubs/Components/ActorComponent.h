#ifndef STAND_IN_ACTOR_COMPONENT_H
#define STAND_IN_ACTOR_COMPONENT_H
#include "CoreMinimal.h"
class USceneComponent {
  public:
    void SetWorldLocationAndRotation(const FVector &, const FQuat &) {}
};
class UActorComponent {
  public:
    virtual ~UActorComponent() = default;
    virtual void BeginPlay() {}
    virtual void TickComponent(float) {}
};
#endif
